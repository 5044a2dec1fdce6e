# The container for readers: JupyterLab with the Go kernel, the notebooks and their data. The container needs no network.
# Dockerfile and binder/Dockerfile are identical (`make lint` compares them). `docker build` reads the first file, and
# mybinder.org reads the second file.
#
#   docker build -t purexp .
#   docker run --rm -p 127.0.0.1:8888:8888 purexp        then open the printed address http://127.0.0.1:8888/...

# Base images are pinned by digest (of the index of all platforms); the tag documents the version. Update both together:
# docker buildx imagetools inspect golang:1.26.8-trixie
FROM golang:1.26.8-trixie@sha256:eae2aaa6add2936cbf350dd0d2628b363461542f0c4b3c0b558957e0f2997379 AS golang

FROM debian:trixie-20260803-slim@sha256:3a39a0592364683e6bab97937b72cad5a8fa6dcbbee90edb3bb48c7f8e94f258 AS base

# mybinder.org sets both arguments.
ARG NB_USER=jovyan
ARG NB_UID=1000

RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates make python3 \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/* \
 && useradd --create-home --uid "${NB_UID}" --shell /bin/bash "${NB_USER}" \
 && install --directory --owner="${NB_USER}" --group="${NB_USER}" /opt/purexp

# As mybinder.org requires, the home folder contains the repository. Modules, build cache and programs are in /opt/purexp:
# `go build ./...` then ignores them, and a volume mounted on the home folder does not hide them.
# Like cells of notebooks, all programs are built without debug information, so that they share one build cache.
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

# --- the build stage; files that only the build needs are not copied to the image ------------------------------------

FROM base AS build
ARG NB_USER
ARG NB_UID
RUN apt-get update && apt-get install --yes --no-install-recommends python3-venv
COPY --from=golang /usr/local/go /usr/local/go
COPY --chown=${NB_UID} docker/slim docker/
RUN docker/slim go /usr/local/go
USER ${NB_USER}

# The steps with the rarest changes come first. The caches are deleted after the tools are built.
COPY --chown=${NB_UID} docker/requirements.txt docker/setup docker/tools.mod docker/tools.sum docker/
RUN docker/setup python tools && docker/slim python "${PUREXP_VENV}" && go clean -cache -modcache
COPY --chown=${NB_UID} go.mod go.sum ./
RUN go mod download -modcacherw && docker/slim modules /opt/purexp/go/pkg/mod
COPY --chown=${NB_UID} . .
# The go command updates the times of used cache files, and deletes files that were unused for five days. In a container,
# each update copies the file to a new layer. A time in the future prevents both updates and deletions.
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

# The build of the image fails if the kernel cannot run a notebook.
RUN docker/setup kernel warm complete \
 && find notebooks -name "*.ipynb" -exec jupyter trust {} + \
 && PUREXP_REPS=2 python3 docker/notebooks.py run --out /tmp/smoke notebooks/00-start-here.ipynb \
 && rm -rf /tmp/smoke

EXPOSE 8888
# CMD instead of ENTRYPOINT, because mybinder.org runs its own command.
CMD ["jupyter", "lab", "--ip=0.0.0.0", "--port=8888", "--no-browser", "--ServerApp.default_url=/lab/tree/notebooks/00-start-here.ipynb"]
