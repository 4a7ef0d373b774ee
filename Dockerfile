# The product with everything it needs, PostgreSQL included: build it, give it a volume, and it serves on port 3000.
#
#   docker build -t trasvia .
#   docker run -p 127.0.0.1:3000:3000 -v trasvia:/data -e PUBLIC_URL=https://trasferte.example trasvia

FROM node:24-bookworm-slim AS build
WORKDIR /srv/trasvia
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts=false
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
WORKDIR /srv/trasvia
# PostgreSQL refuses to run as root, and so does everything else here. The number is what folders of the host are given to.
RUN useradd --system --uid 999 --user-group --home-dir /data trasvia && install -d -m 700 -o trasvia -g trasvia /data
COPY --from=build /srv/trasvia/package.json ./
COPY --from=build /srv/trasvia/provider.config.ts ./
COPY --from=build /srv/trasvia/node_modules ./node_modules
COPY --from=build /srv/trasvia/build ./build
COPY --from=build /srv/trasvia/contract ./contract
COPY --from=build /srv/trasvia/scripts ./scripts
COPY --from=build /srv/trasvia/server ./server
USER trasvia
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data PATH=/srv/trasvia/node_modules/.bin:$PATH
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --start-period=60s --interval=15s --timeout=5s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--min-semi-space-size=16", "build/node/main.js"]
