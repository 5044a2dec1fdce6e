# The reader's container: JupyterLab with the Go kernel, the notebooks, their data, and all that they need
# to run without a network. Dockerfile and binder/Dockerfile are the same file (`make lint` compares them):
# the first is what `docker build` looks for, the second what mybinder.org looks for, which reads nothing else
# once there is a folder binder.
#
#   docker build -t purexp .
#   docker run --rm -p 127.0.0.1:8888:8888 purexp        then open the http://127.0.0.1:8888/... that it prints

# Tags say what it is, digests (of the index of all platforms) that it is that. Renew both together:
# docker buildx imagetools inspect golang:1.26.8-trixie
FROM golang:1.26.8-trixie@sha256:eae2aaa6add2936cbf350dd0d2628b363461542f0c4b3c0b558957e0f2997379 AS golang

FROM debian:trixie-20260803-slim@sha256:3a39a0592364683e6bab97937b72cad5a8fa6dcbbee90edb3bb48c7f8e94f258 AS base

# mybinder.org chooses both.
ARG NB_USER=jovyan
ARG NB_UID=1000

RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates make python3 \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/* \
 && useradd --create-home --uid "${NB_UID}" --shell /bin/bash "${NB_USER}" \
 && install --directory --owner="${NB_USER}" --group="${NB_USER}" /opt/purexp

# The repository is the home folder, as mybinder.org expects; modules, build cache and programs live outside it,
# so that `go build ./...` does not walk through them and a volume mounted on the home folder does not hide them.
# Whatever is built here is built without tables for debuggers, as cells are: one build cache serves all.
ENV USER=${NB_USER} \
    HOME=/home/${NB_USER} \
    SHELL=/bin/bash \
    LANG=C.UTF-8 \
    PATH=/opt/purexp/venv/bin:/opt/purexp/bin:/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    CGO_ENABLED=0 \
    GOTOOLCHAIN=local \
    GOFLAGS=-gcflags=all=-dwarf=false \
    GOPATH=/opt/purexp/go \
    GOCACHE=/opt/purexp/gocache \
    PUREXP_VENV=/opt/purexp/venv \
    PUREXP_BIN=/opt/purexp/bin \
    PIP_NO_CACHE_DIR=1
WORKDIR ${HOME}

# --- made here, and copied from here: what is only needed on the way stays behind ------------------------------------

FROM base AS build
ARG NB_USER
ARG NB_UID
RUN apt-get update && apt-get install --yes --no-install-recommends python3-venv
COPY --from=golang /usr/local/go /usr/local/go
COPY --chown=${NB_UID} docker/slim docker/
RUN docker/slim go /usr/local/go
USER ${NB_USER}

# From what changes least to what changes most. What the tools were built from is not needed again.
COPY --chown=${NB_UID} docker/requirements.txt docker/setup docker/tools.mod docker/tools.sum docker/
RUN docker/setup python tools && docker/slim python "${PUREXP_VENV}" && go clean -cache -modcache
COPY --chown=${NB_UID} go.mod go.sum ./
RUN go mod download -modcacherw && docker/slim modules /opt/purexp/go/pkg/mod
COPY --chown=${NB_UID} . .
# Files of the build cache are given a new time when they are used, and forgotten when that is five days ago. In a
# container each new time is a copy of the file: with one that is still to come there is neither.
RUN docker/setup kernel warm && go build ./... \
 && find "${GOCACHE}" -type f ! -name trim.txt -exec touch -d 2037-01-01 {} +

# --- the image -------------------------------------------------------------------------------------------------------

FROM base
ARG NB_USER
ARG NB_UID
COPY --from=build /usr/local/go /usr/local/go
USER ${NB_USER}
COPY --from=build --chown=${NB_UID} /opt/purexp/venv /opt/purexp/venv
COPY --from=build --chown=${NB_UID} /opt/purexp/bin /opt/purexp/bin
COPY --from=build --chown=${NB_UID} /opt/purexp/go /opt/purexp/go
COPY --from=build --chown=${NB_UID} /opt/purexp/gocache /opt/purexp/gocache
COPY --chown=${NB_UID} . .

# An image whose kernel does not work is not built.
RUN docker/setup kernel warm complete \
 && find notebooks -name "*.ipynb" -exec jupyter trust {} + \
 && PUREXP_REPS=2 python3 docker/notebooks.py run --out /tmp/smoke notebooks/00-start-here.ipynb \
 && rm -rf /tmp/smoke

EXPOSE 8888
# A command and no entry point: mybinder.org starts its own.
CMD ["jupyter", "lab", "--ip=0.0.0.0", "--port=8888", "--no-browser", "--ServerApp.default_url=/lab/tree/notebooks/00-start-here.ipynb"]
