/**
 * Who may import whom (docs/adr/0001). Each room lists what it must never import; type-only imports of interfaces are
 * allowed where a room needs to name what it is given.
 */
const rooms = {
  vocabulary: { never: ['..'], why: 'Vocabulary is words: it imports nothing.' },
  entities: {
    never: ['../services', '../access', '../schema', '../resolvers', '../rest', '../engine', '../graphql', '../http'],
    packages: ['type-graphql', 'graphql', 'express'],
    why: 'Entities know columns and relations; what is done with them is decided elsewhere.',
  },
  access: {
    never: [
      '../services',
      '../schema',
      '../resolvers',
      '../rest',
      '../engine',
      '../graphql',
      '../http',
      '../database',
      '../storage',
    ],
    packages: ['type-graphql', 'graphql', 'express'],
    why: 'Access is decided without knowing a transport; what it reads comes through AccessRecords.',
  },
  services: {
    never: ['../schema', '../resolvers', '../rest', '../engine', '../graphql', '../http', '../context', '../portal'],
    packages: ['type-graphql', 'graphql', 'express', 'sofa-api', '@apollo/server'],
    why: 'Use-cases serve both doors and jobs: they know no transport.',
  },
  database: {
    never: ['../services/organizations', '../schema', '../resolvers', '../rest', '../engine', '../graphql', '../http'],
    packages: ['type-graphql', 'graphql', 'express'],
    why: 'The database room knows tables, not transports.',
  },
  storage: {
    never: [
      '../services',
      '../schema',
      '../resolvers',
      '../rest',
      '../engine',
      '../graphql',
      '../http',
      '../database',
      '../access',
    ],
    packages: ['type-graphql', 'graphql', 'express'],
    why: 'Storage keeps bytes and knows nobody who owns them.',
  },
  mail: {
    never: ['../services', '../schema', '../resolvers', '../rest', '../engine', '../graphql', '../http', '../jobs'],
    packages: ['type-graphql', 'graphql', 'express'],
    why: 'Mail is delivered without knowing what it tells, or when its turn comes.',
  },
  jobs: {
    never: ['../schema', '../resolvers', '../rest', '../engine', '../graphql', '../http'],
    packages: ['type-graphql', 'graphql', 'express'],
    why: 'A job calls a use-case, as a door does.',
  },
  schema: {
    never: ['../services', '../resolvers', '../rest', '../database', '../graphql', '../http', '../storage'],
    packages: ['express', 'sofa-api', '@mikro-orm/core', '@mikro-orm/postgresql'],
    why: 'The contract has shapes and rules of fields, no behaviour.',
  },
  resolvers: {
    never: ['../rest', '../graphql', '../http', '../entities', '../storage'],
    packages: ['express', '@mikro-orm/core', '@mikro-orm/postgresql'],
    why: 'A resolver decorates, calls one service and wraps.',
  },
  engine: {
    never: [
      '../services',
      '../resolvers',
      '../rest',
      '../graphql',
      '../http',
      '../database',
      '../storage',
      '../entities',
    ],
    packages: ['express', 'sofa-api', '@apollo/server', 'type-graphql'],
    why: 'The engine executes operations, whatever they do and whoever asks.',
  },
  graphql: {
    never: ['../services', '../resolvers', '../rest', '../database', '../storage', '../entities'],
    packages: ['express', 'sofa-api'],
    why: 'The GraphQL door asks the engine, nobody behind it.',
  },
  rest: {
    never: ['../services', '../resolvers', '../database', '../storage', '../entities', '../access', '../graphql'],
    packages: ['type-graphql', '@mikro-orm/core', '@mikro-orm/postgresql'],
    why: 'REST adds shape, never rules: it asks the engine.',
  },
  http: {
    never: [
      '../services',
      '../schema',
      '../resolvers',
      '../rest',
      '../graphql',
      '../engine',
      '../portal',
      '../database',
      '../storage',
      '../entities',
      '../mail',
      '../jobs',
    ],
    packages: ['type-graphql', 'graphql', 'express'],
    why: 'What comes before a door does not know what is behind it: it is handed the doors.',
  },
  portal: {
    never: [
      '../services',
      '../access',
      '../schema',
      '../resolvers',
      '../rest',
      '../graphql',
      '../engine',
      '../database',
      '../storage',
      '../entities',
      '../mail',
      '../jobs',
    ],
    packages: ['type-graphql', '@mikro-orm/core', '@mikro-orm/postgresql'],
    why: 'Pages for people show what they are handed.',
  },
};

/** Whoever puts the gateway together imports every room, and no room imports it. */
const ABOVE = ['../app', '../serve', '../main', '../bootstrap'];

export const importLaw = Object.entries(rooms).map(([room, { never, packages = [], why }]) => ({
  files: [`src/${room}/**/*.ts`],
  rules: {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      {
        paths: packages.map((name) => ({ name, message: why })),
        patterns: [
          {
            group: [...never, ...ABOVE].flatMap((path) =>
              path === '..' ? ['../*', '../**'] : [`**/${path.slice(3)}/**`, `**/${path.slice(3)}.js`],
            ),
            message: why,
            allowTypeImports: true,
          },
        ],
      },
    ],
  },
}));
