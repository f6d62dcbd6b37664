# A simulated lane for the tests of a till (docs/sim.md): docker build -t laneware-sim .
FROM node:24-slim AS packages
WORKDIR /laneware
COPY package.json package-lock.json .npmrc ./
# The Node that npm would bring is already here
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/node-linux-* node_modules/.bin

FROM node:24-slim
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
ENTRYPOINT ["node", "firmware/features/sim/program/main.ts", "--name", "laneware", "--name", "laneware-sim", "--name", "lane", "--host", "0.0.0.0"]
