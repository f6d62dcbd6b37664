# A simulated lane for the tests of a till (docs/sim.md): docker build -t laneware-sim .
# The base of both stages. A tag may change: pin it with --build-arg BASE=node:24-slim@sha256:…, the digest that
# docker buildx imagetools inspect node:24-slim shows
ARG BASE=node:24-slim
FROM ${BASE} AS packages
WORKDIR /laneware
COPY package.json package-lock.json .npmrc ./
# The Node that npm would bring is already here
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/node-linux-* node_modules/.bin

FROM ${BASE}
WORKDIR /laneware
COPY --from=packages /laneware/node_modules node_modules
# Its user reads them also where the clone was made for its owner alone (umask 077)
COPY --chown=node package.json LICENSE ./
COPY --chown=node firmware firmware
COPY --chown=node drivers drivers
COPY --chown=node models models
COPY --chown=node clients/samples clients/samples
USER node
ENV NODE_COMPILE_CACHE=/tmp/compiled
EXPOSE 1234 8080 1280 1290
# The control answers once the lane is set up. The image has no curl
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --start-interval=1s CMD ["node", "-e", "fetch('http://127.0.0.1:1290/').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "firmware/tools/sim/main.ts", "--name", "laneware", "--name", "laneware-sim", "--name", "lane", "--host", "0.0.0.0"]
