import type { GraphQLSchema } from 'graphql';
import { AnswerSchemas } from './openapi/answer-schemas.js';
import { ERROR_SCHEMA, failureResponses, failureTable, HEADERS } from './openapi/failures.js';
import { VALUE_LISTS } from './openapi/published-schema.js';
import type { Json } from '../common/input-schema.js';
import { ANY_TOKEN, operationOf, SECURITY_SCHEMES } from './openapi/operations.js';
import { requestSchemas } from './openapi/request-schemas.js';
import { isOperationRoute } from './route.js';
import { ROUTES } from './routes.js';
import { createRestView } from './view.js';

/** Where the paths begin; the committed document leaves it open (specification: "The base address is {base_url}"). */
interface ServerAddress {
  url: string;
  variables?: Json;
}

export const ANY_SERVER: ServerAddress = {
  url: '{base_url}',
  variables: { base_url: { default: 'http://localhost:4000', description: 'Where the gateway is.' } },
};

/** The interface description (specification 9), made of the route table and the schema behind it. */
export function openApiDocument(schema: GraphQLSchema, server: ServerAddress): Json {
  const answers = new AnswerSchemas(createRestView(schema, ROUTES.filter(isOperationRoute)));
  const paths = pathsOf(answers, schema);
  const schemas = { ...requestSchemas(schema), ...answers.components, ...VALUE_LISTS, Error: ERROR_SCHEMA };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Security Compliance Platform API',
      version: '1.0.5',
      description: description(),
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [server],
    security: ANY_TOKEN,
    tags: Object.entries(TAGS).map(([name, text]) => ({ name, description: text })),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: Object.fromEntries(Object.entries(schemas).toSorted(([one], [other]) => (one < other ? -1 : 1))),
      responses: failureResponses(referred(paths, 'responses')),
      headers: HEADERS,
    },
  };
}

function pathsOf(answers: AnswerSchemas, schema: GraphQLSchema): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of ROUTES) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route, answers, schema);
  }
  return paths;
}

/** Names of the components of a kind that are referred to: an unused component is noise. */
function referred(part: Json, kind: string): Set<string> {
  const references = JSON.stringify(part).matchAll(new RegExp(`"#/components/${kind}/(\\w+)"`, 'g'));
  return new Set([...references].map(([, name]) => name as string));
}

function description(): string {
  return `Organizations and their security and compliance data.

**Envelope.** Every answer is an object with \`error\` (0 or 1) and \`messages\`; a success has \`data\`, and a list also
\`total\`: the number of items that meet the filter.

**Token.** Every request carries a token, as the header \`X-Service-Token\` or as a query parameter of that name. Different
tokens in both are refused.

**Lists.** \`limit\` (1 to 100, 50 when absent), \`offset\`, \`sort\` (\`field\` or \`-field\`), and filters by name. A value
outside is an error; query parameters that are not described here are ignored.

**Paths** are case-sensitive and end without a slash. \`HEAD\` answers like \`GET\` without a body, \`OPTIONS\` lists the methods.

**Failures.** The list is closed:

${failureTable()}`;
}

/** What routes are about, in the order of the interface description. */
const TAGS: Readonly<Record<string, string>> = {
  Organizations: 'Organizations with their profile, users and branding.',
  Account: 'What the caller decides for itself: its names, its alerts and mails, its tokens.',
  Documents: 'Files that show how a control of a workflow is met, in versions.',
  Incidents: 'Security incidents, the reports that NIS 2 asks for, and files attached to them.',
  'Edge protection': 'Configurations of edge-protection devices (path segment `cloud-defender`).',
  'Threat blocker': 'Configurations of threat-blocker devices (path segment `atb`).',
  Workflows: 'Compliance frameworks and task sets, and how far organizations are with them.',
  Audit: 'Who did what in an organization, and how it is verified.',
  Notifications: 'Messages to the authenticated user.',
  Search: 'Text in everything that the caller may see.',
  Files: 'Signed addresses of files. They need no token.',
  Interface: 'This description, and what forms can offer.',
};
