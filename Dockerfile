# Parlour as a container: by default a node; other arguments run other `parlour` commands. Used by docker-compose.yml.
# Every package is installed with an exact version and checked against its hash.
FROM python:3.13.15-slim-bookworm@sha256:ed86c82274b3c69b52fb5820f358f0bd7df0b603332063cb5c6e32bd220c3e6e AS build
WORKDIR /src
COPY deploy/requirements.txt deploy/build-requirements.txt deploy/
RUN python -m venv /opt/build \
    && /opt/build/bin/pip install --no-cache-dir --require-hashes --requirement deploy/build-requirements.txt \
    && python -m venv /opt/parlour \
    && /opt/parlour/bin/pip install --no-cache-dir --require-hashes --requirement deploy/requirements.txt
COPY pyproject.toml hatch_build.py mkdocs.yml README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE ./
COPY docs docs
COPY protocol protocol
COPY server server
COPY client client
RUN /opt/build/bin/pip wheel --no-deps --no-build-isolation --wheel-dir /dist ./client . \
    && /opt/parlour/bin/pip install --no-cache-dir --no-deps /dist/*.whl

FROM python:3.13.15-slim-bookworm@sha256:ed86c82274b3c69b52fb5820f358f0bd7df0b603332063cb5c6e32bd220c3e6e
RUN useradd --system --uid 10001 --no-create-home parlour \
    && install --directory --owner=parlour --mode=0700 /data
COPY --from=build /opt/parlour /opt/parlour
ENV PATH="/opt/parlour/bin:$PATH" \
    PARLOUR_HOST="0.0.0.0" \
    PARLOUR_DATA="/data"
USER 10001
VOLUME ["/data"]
EXPOSE 8765
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8765/healthz', timeout=2)"]
ENTRYPOINT ["parlour"]
CMD ["serve"]
