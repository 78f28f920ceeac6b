/** The schema of TypeGraphQL behind SOFA in Express, set up as its guide says, with the gateway's paths. */
import express from 'express';
import { useSofa } from 'sofa-api';
import { peer } from './peer.js';
import { contextOf, schema } from './typegraphql-schema.js';

const app = express();
app.get('/ready', (_request, response) => void response.end());
app.use(
  '/api/v1',
  useSofa({
    basePath: '/api/v1',
    schema,
    context: contextOf,
    routes: {
      'Query.organizationUsers': { method: 'GET', path: '/organizations/:id/users' },
      'Mutation.createOrganization': { method: 'POST', path: '/organizations', responseStatus: 201 },
    },
  }),
);
app.listen(peer.port, '127.0.0.1');
