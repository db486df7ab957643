# syntax=docker/dockerfile:1
# A hub: `cairn up --store postgres://…`. Three stages, so that neither compilers nor tests are in what runs.

FROM node:22-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
COPY web/package.json web/package.json
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node build.mjs

# Only what runs needs: the driver for PostgreSQL is an optional dependency, and wanted here.
FROM node:22-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
COPY web/package.json web/package.json
RUN npm ci --omit=dev --include=optional --workspaces=false --ignore-scripts --no-audit --no-fund

FROM node:22-slim
ENV NODE_ENV=production \
    CAIRN_HOME=/var/lib/cairn
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /src/dist ./dist
COPY package.json LICENSE README.md CHANGELOG.md ./
COPY docs ./docs
# Nothing is written below /app: the root file system can be mounted read-only, with /tmp and this folder beside it.
RUN mkdir -p /var/lib/cairn && chown node:node /var/lib/cairn
USER node
VOLUME /var/lib/cairn
EXPOSE 4747
# Lives, by its own word; whether it is ready is for whoever routes requests to ask (/readyz).
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4747/healthz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "/app/dist/cairn.cjs"]
# The database is named by CAIRN_STORE, or by a file with --store-file: no password stands in the list of processes.
# A container's address is its own: who reaches it is for the network in front to say, and TLS for the proxy there.
CMD ["up", "--host", "0.0.0.0", "--behind-tls", "--port", "4747", "--no-open", "--log", "json", "--drain", "5"]
