# syntax=docker/dockerfile:1

# Major versions on purpose: a rebuild picks up Node's and Debian's security fixes.
FROM node:24 AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The compiler and the packages whose files are in assets/ are development packages.
RUN npm ci
COPY .swcrc ./
COPY scripts/build.js scripts/assets.js scripts/web.js scripts/write-whole.js scripts/
COPY src src
COPY web web
COPY catalog catalog
RUN node scripts/build.js

# What runs: without the optional packages, that is the embedded PostgreSQL and the bundled Node.
FROM node:24 AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional
# Not empty: with the SDK of OpenTelemetry (docs/telemetry.md), in the version that package.json has for the tests.
ARG TELEMETRY=
RUN if [ -n "$TELEMETRY" ]; then npm install --no-save --save-prod --omit=dev --omit=optional \
  "@opentelemetry/sdk-node@$(npm pkg get 'devDependencies[@opentelemetry/sdk-node]' | tr -d '"')"; fi
# Types and source maps of packages are for those who write programs: two fifths of what there is.
RUN find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.[cm]ts' \) -delete

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 DATA_DIR=/data
WORKDIR /app
# A named volume that is mounted here for the first time takes over this owner.
RUN install -d -o node -g node -m 0700 /data
COPY package.json ./
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/assets assets
COPY catalog catalog
COPY demo demo
COPY docs docs
USER node
VOLUME /data
EXPOSE 4000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --start-interval=1s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--enable-source-maps", "--max-semi-space-size=16", "--no-parallel-scavenge"]
CMD ["dist/main.js"]
