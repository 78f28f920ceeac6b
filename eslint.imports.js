/**
 * Which folder of src/ may import which (docs/adr/0001). Each layer lists what it must never import; types are allowed,
 * since a layer may name the types of its parameters.
 */
const TRANSPORTS = ['rest', 'scim', 'mcp', 'graphql', 'http', 'portal'];
const TRANSPORT_PACKAGES = ['type-graphql', 'graphql', 'express'];
const ORM_PACKAGES = ['@mikro-orm/core', '@mikro-orm/postgresql'];
const LAYERS = ['services', 'schema', 'resolvers', 'database', 'storage', 'entities', 'mail', 'auth'];

const layers = {
  values: { never: ['*'], why: 'Values are lists and limits: they import nothing.' },
  common: {
    never: [...LAYERS, ...TRANSPORTS],
    // Input types are read to generate JSON Schema from them.
    packages: [...TRANSPORT_PACKAGES.filter((name) => name !== 'graphql'), ...ORM_PACKAGES],
    why: 'Code shared by all layers imports none of them.',
  },
  messages: {
    never: [...LAYERS, ...TRANSPORTS],
    packages: [...TRANSPORT_PACKAGES, ...ORM_PACKAGES],
    why: 'Messages are texts: they do not depend on the objects that they describe.',
  },
  entities: {
    never: [...LAYERS.filter((layer) => layer !== 'entities'), ...TRANSPORTS],
    packages: TRANSPORT_PACKAGES,
    why: 'Entities define columns and relations; use cases are in services.',
  },
  auth: {
    never: ['services', 'schema', 'resolvers', 'database', 'storage', ...TRANSPORTS],
    packages: TRANSPORT_PACKAGES,
    why: 'Authorization is independent of transports; it reads rows through AccessRecords.',
  },
  services: {
    never: ['schema', 'resolvers', ...TRANSPORTS],
    packages: [...TRANSPORT_PACKAGES, 'sofa-api', '@apollo/server'],
    why: 'Use cases serve every transport and the jobs: they depend on none.',
  },
  database: {
    never: ['services', 'schema', 'resolvers', ...TRANSPORTS],
    packages: TRANSPORT_PACKAGES,
    why: 'The database layer depends on tables, not on use cases and transports.',
  },
  storage: {
    never: ['services', 'schema', 'resolvers', 'database', 'auth', ...TRANSPORTS],
    packages: TRANSPORT_PACKAGES,
    why: 'Storage stores bytes and does not depend on their owners.',
  },
  mail: {
    never: ['services', 'schema', 'resolvers', ...TRANSPORTS],
    packages: TRANSPORT_PACKAGES,
    why: 'Mail delivery does not depend on the reasons of mails.',
  },
  backup: {
    never: ['schema', 'resolvers', ...TRANSPORTS],
    packages: TRANSPORT_PACKAGES,
    why: 'A backup consists of tables and files, and is verified by use cases.',
  },
  schema: {
    never: ['services', 'resolvers', 'database', 'storage', 'rest', 'scim', 'mcp', 'http', 'portal'],
    packages: ['express', 'sofa-api', ...ORM_PACKAGES],
    why: 'The GraphQL contract has types and constraints, no behaviour.',
  },
  resolvers: {
    never: ['entities', 'storage', 'rest', 'scim', 'mcp', 'http', 'portal'],
    packages: ['express', ...ORM_PACKAGES],
    why: 'A resolver declares its field, calls one service and wraps the result.',
  },
  graphql: {
    never: ['services', 'resolvers', 'database', 'storage', 'entities', 'rest', 'scim', 'mcp', 'portal'],
    packages: ['express', 'sofa-api'],
    why: 'The executor runs any operation: it does not depend on the implementation of fields.',
  },
  rest: {
    never: ['services', 'resolvers', 'database', 'storage', 'entities', 'auth', 'scim', 'mcp', 'portal'],
    packages: ['type-graphql', ...ORM_PACKAGES],
    why: 'REST adds shape, never rules: it calls the executor.',
  },
  scim: {
    never: ['services', 'resolvers', 'database', 'storage', 'entities', 'auth', 'rest', 'mcp', 'portal'],
    packages: ['type-graphql', 'graphql', ...ORM_PACKAGES],
    why: 'SCIM adds its shape, never rules: it calls the use cases that it receives.',
  },
  mcp: {
    never: ['services', 'resolvers', 'database', 'storage', 'entities', 'auth', 'rest', 'scim', 'portal'],
    packages: ['type-graphql', 'express', ...ORM_PACKAGES],
    why: 'MCP adds tools over operations, never rules: it calls the executor.',
  },
  http: {
    never: [...LAYERS.filter((layer) => layer !== 'auth'), 'rest', 'scim', 'mcp', 'graphql', 'portal'],
    packages: TRANSPORT_PACKAGES,
    why: 'The HTTP layer receives the transports as parameters.',
  },
  portal: {
    never: [...LAYERS, 'rest', 'scim', 'mcp', 'graphql'],
    packages: ['type-graphql', ...ORM_PACKAGES],
    why: 'Pages show the data that they receive.',
  },
};

/** Domains whose services a domain may use, beside `shared`, `audit` and `notifications`. */
const domains = {
  audit: [],
  organizations: ['files', 'members'],
  members: ['files', 'tokens', 'webhooks', 'workflows'],
  tokens: ['webhooks'],
  events: [],
  webhooks: ['events'],
  identity: ['members', 'tokens'],
  provisioning: ['members', 'webhooks'],
  workflows: [],
  files: ['workflows'],
  documents: ['files', 'workflows'],
  incidents: ['files', 'workflows'],
  devices: ['workflows'],
  notifications: [],
  engagements: ['files', 'members', 'workflows'],
  reports: ['workflows', 'incidents'],
  portfolio: ['workflows', 'incidents'],
  sandboxes: ['devices', 'documents', 'files', 'incidents', 'members', 'organizations', 'workflows'],
  search: ['workflows'],
  'trusted-documents': [],
  shared: [],
};

/** The composition root: it imports every layer, and no layer imports it. */
const ABOVE = ['**/app/**', '**/main.js'];

const forbidden = (names, why) => ({
  group: [
    ...names.flatMap((name) => (name === '*' ? ['../*', '../**'] : [`**/${name}/**`, `**/${name}.js`])),
    ...ABOVE,
    '**/demo/**',
  ],
  message: why,
  allowTypeImports: true,
});

const rule = (files, packages, patterns) => ({
  files,
  rules: {
    '@typescript-eslint/no-restricted-imports': ['error', { paths: packages, patterns }],
  },
});

const layerRules = Object.entries(layers).map(([layer, { never, packages = [], why }]) => {
  const paths = packages.map((name) => ({ name, message: why }));
  return { layer, paths, pattern: forbidden(never, why) };
});

const services = layerRules.find(({ layer }) => layer === 'services');

/** Pages are a client of the public API like any other: they depend on the contract, not on the gateway. */
const pages = {
  group: ['**/src/**', '**/test/**', '**/scripts/**', 'node:*'],
  message: 'The pages in web/ call the public API, and import nothing of the gateway.',
};

export const importRules = [
  rule(
    ['packages/**/*.ts'],
    [],
    [
      {
        regex: '^\\.\\./(\\.\\./)*(src|test|scripts)/',
        message: 'Users install packages/ without the gateway: they import nothing of it.',
      },
    ],
  ),
  rule(['web/**/*.{ts,tsx}'], [], [pages]),
  ...layerRules.map(({ layer, paths, pattern }) => rule([`src/${layer}/**/*.ts`], paths, [pattern])),
  ...Object.entries(domains).map(([domain, uses]) => {
    const allowed = [
      domain,
      'shared',
      ...(['shared', 'audit'].includes(domain) ? [] : ['notifications', 'audit']),
      ...uses,
    ];
    const others = Object.keys(domains).filter((other) => !allowed.includes(other));
    const why = `The domain ${domain} uses ${allowed.slice(1).join(', ') || 'no other'}; a new edge is added in eslint.imports.js.`;
    const edges = { group: others.map((other) => `../${other}/**`), message: why };
    return rule([`src/services/${domain}/**/*.ts`], services.paths, [services.pattern, edges]);
  }),
];
