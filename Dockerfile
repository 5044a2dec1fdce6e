# The reader's container: JupyterLab with the Go kernel, the notebooks, their data, and all that they need
# to run without a network. Dockerfile and binder/Dockerfile are the same file (`make lint` compares them):
# the first is what `docker build` looks for, the second what mybinder.org looks for.
#
#   docker build -t purexp .
#   docker run --rm -p 127.0.0.1:8888:8888 purexp        then open the http://127.0.0.1:8888/... that it prints

# Tags say what it is, digests (of the index of all platforms) that it is that. Renew both together:
# docker buildx imagetools inspect golang:1.26.8-trixie
FROM golang:1.26.8-trixie@sha256:eae2aaa6add2936cbf350dd0d2628b363461542f0c4b3c0b558957e0f2997379 AS golang

FROM debian:trixie-20260803-slim@sha256:3a39a0592364683e6bab97937b72cad5a8fa6dcbbee90edb3bb48c7f8e94f258

# mybinder.org chooses both.
ARG NB_USER=jovyan
ARG NB_UID=1000

RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates make python3 python3-venv \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --create-home --uid "${NB_UID}" --shell /bin/bash "${NB_USER}" \
 && install --directory --owner="${NB_USER}" --group="${NB_USER}" /opt/purexp

COPY --from=golang /usr/local/go /usr/local/go

# The repository is the home folder, as mybinder.org expects; modules, build cache and programs live outside it,
# so that `go build ./...` does not walk through them and a volume mounted on the home folder does not hide them.
ENV USER=${NB_USER} \
    HOME=/home/${NB_USER} \
    SHELL=/bin/bash \
    LANG=C.UTF-8 \
    PATH=/opt/purexp/venv/bin:/opt/purexp/bin:/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    CGO_ENABLED=0 \
    GOTOOLCHAIN=local \
    GOPATH=/opt/purexp/go \
    GOCACHE=/opt/purexp/gocache \
    PUREXP_VENV=/opt/purexp/venv \
    PUREXP_BIN=/opt/purexp/bin \
    PIP_NO_CACHE_DIR=1
WORKDIR ${HOME}
USER ${NB_USER}

# From what changes least to what changes most. What the tools were built from is not needed again.
COPY --chown=${NB_UID} docker/requirements.txt docker/setup docker/gonb-kernel docker/gonb-go docker/
COPY --chown=${NB_UID} docker/tools docker/tools
RUN docker/setup python tools kernel && go clean -cache -modcache
COPY --chown=${NB_UID} go.mod go.sum ./
RUN go mod download
COPY --chown=${NB_UID} . .

# Fills the build cache, and runs one notebook: an image whose kernel does not
# work is not built.
RUN docker/setup python tools kernel warm \
 && PUREXP_REPS=2 python3 docker/notebooks.py run --out /tmp/smoke notebooks/00-start-here.ipynb \
 && rm -rf /tmp/smoke

EXPOSE 8888
# A command and no entry point: mybinder.org starts its own.
CMD ["jupyter", "lab", "--ip=0.0.0.0", "--port=8888", "--no-browser", "--ServerApp.default_url=/lab/tree/notebooks/00-start-here.ipynb"]
