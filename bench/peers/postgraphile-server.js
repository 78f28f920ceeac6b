/** PostGraphile over the peers' tables and views, set up as its guide says. No authentication, no limits. */
import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

const { DATABASE_URL: connectionString, DATABASE_SCHEMA: schema, PORT: port } = process.env;

const server = createServer();
await postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString, schemas: [schema] })],
})
  .createServ(grafserv)
  .addTo(server);
server.listen(Number(port), '127.0.0.1');
