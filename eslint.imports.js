/**
 * Which folder of src/ may import which (docs/adr/0001). Each layer lists what it must never import; types are allowed,
 * so that a layer can name what it is given.
 */
const TRANSPORTS = ['rest', 'scim', 'mcp', 'graphql', 'http', 'portal'];
const TRANSPORT_PACKAGES = ['type-graphql', 'graphql', 'express'];
const ORM_PACKAGES = ['@mikro-orm/core', '@mikro-orm/postgresql'];
const LAYERS = ['services', 'schema', 'resolvers', 'database', 'storage', 'entities', 'mail', 'auth'];

const layers = {
  values: { never: ['*'], why: 'Values are lists and limits: they import nothing.' },
  common: {
    never: [...LAYERS, ...TRANSPORTS],
    // Input types are read where JSON Schema is made of them.
    packages: [...TRANSPORT_PACKAGES.filter((name) => name !== 'graphql'), ...ORM_PACKAGES],
    why: 'What is common to all layers imports none of them.',
  },
  messages: {
    never: [...LAYERS, ...TRANSPORTS],
    packages: [...TRANSPORT_PACKAGES, ...ORM_PACKAGES],
    why: 'Messages are words: they know nothing of what they speak of.',
  },
  entities: {
    never: [...LAYERS.filter((layer) => layer !== 'entities'), ...TRANSPORTS],
    packages: TRANSPORT_PACKAGES,
    why: 'Entities know columns and relations; use cases are elsewhere.',
  },
  auth: {
    never: ['services', 'schema', 'resolvers', 'database', 'storage', ...TRANSPORTS],
    packages: TRANSPORT_PACKAGES,
    why: 'Access is decided without knowing a transport; what it reads comes through AccessRecords.',
  },
  services: {
    never: ['schema', 'resolvers', ...TRANSPORTS],
    packages: [...TRANSPORT_PACKAGES, 'sofa-api', '@apollo/server'],
    why: 'Use cases serve every transport and the jobs: they know none.',
  },
  database: {
    never: ['services', 'schema', 'resolvers', ...TRANSPORTS],
    packages: TRANSPORT_PACKAGES,
    why: 'The database layer knows tables, not use cases and transports.',
  },
  storage: {
    never: ['services', 'schema', 'resolvers', 'database', 'auth', ...TRANSPORTS],
    packages: TRANSPORT_PACKAGES,
    why: 'Storage keeps bytes and does not know whose they are.',
  },
  mail: {
    never: ['services', 'schema', 'resolvers', ...TRANSPORTS],
    packages: TRANSPORT_PACKAGES,
    why: 'Mail is delivered without knowing why it is sent.',
  },
  backup: {
    never: ['schema', 'resolvers', ...TRANSPORTS],
    packages: TRANSPORT_PACKAGES,
    why: 'A backup is made of tables and files, and verified by use cases.',
  },
  schema: {
    never: ['services', 'resolvers', 'database', 'storage', 'rest', 'scim', 'mcp', 'http', 'portal'],
    packages: ['express', 'sofa-api', ...ORM_PACKAGES],
    why: 'The GraphQL contract has types and constraints, no behaviour.',
  },
  resolvers: {
    never: ['entities', 'storage', 'rest', 'scim', 'mcp', 'http', 'portal'],
    packages: ['express', ...ORM_PACKAGES],
    why: 'A resolver decorates, calls one service and wraps.',
  },
  graphql: {
    never: ['services', 'resolvers', 'database', 'storage', 'entities', 'rest', 'scim', 'mcp', 'portal'],
    packages: ['express', 'sofa-api'],
    why: 'The executor runs any operation: it does not know what is behind a field.',
  },
  rest: {
    never: ['services', 'resolvers', 'database', 'storage', 'entities', 'auth', 'scim', 'mcp', 'portal'],
    packages: ['type-graphql', ...ORM_PACKAGES],
    why: 'REST adds shape, never rules: it asks the executor.',
  },
  scim: {
    never: ['services', 'resolvers', 'database', 'storage', 'entities', 'auth', 'rest', 'mcp', 'portal'],
    packages: ['type-graphql', 'graphql', ...ORM_PACKAGES],
    why: 'SCIM adds its shape, never rules: it asks the use cases that it is handed.',
  },
  mcp: {
    never: ['services', 'resolvers', 'database', 'storage', 'entities', 'auth', 'rest', 'scim', 'portal'],
    packages: ['type-graphql', 'express', ...ORM_PACKAGES],
    why: 'MCP adds tools over operations, never rules: it asks the executor.',
  },
  http: {
    never: [...LAYERS.filter((layer) => layer !== 'auth'), 'rest', 'scim', 'mcp', 'graphql', 'portal'],
    packages: TRANSPORT_PACKAGES,
    why: 'What comes before a transport is handed the transports.',
  },
  portal: {
    never: [...LAYERS, 'rest', 'scim', 'mcp', 'graphql'],
    packages: ['type-graphql', ...ORM_PACKAGES],
    why: 'Pages show what they are handed.',
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

/** They put the gateway together: they import every layer, and no layer imports them. */
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

/** The pages are a client of the public API like any other: they know the contract and nothing of the gateway. */
const pages = {
  group: ['**/src/**', '**/test/**', '**/scripts/**', 'node:*'],
  message: 'The pages in web/ ask the public API, and import nothing of the gateway.',
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
