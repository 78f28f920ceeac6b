/** Apollo Server with the schema of TypeGraphQL, set up as its guide says. */
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { peer } from './peer.js';
import { contextOf, schema } from './typegraphql-schema.js';

await startStandaloneServer(new ApolloServer({ schema }), {
  listen: { port: peer.port, host: '127.0.0.1' },
  context: contextOf,
});
