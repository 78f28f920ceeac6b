import tseslint from 'typescript-eslint';
import { importRules } from './eslint.imports.js';

const environment = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'The environment has one reader: config.ts. Take what you need as an argument.',
};

const typed = 'Declare a statement (src/database/sql.ts): the entities type its tables, columns and rows.';

/** Syntax that could send SQL which the statement compiler does not check. */
const statements = [
  { selector: 'CallExpression[callee.property.name=/^(rows|tuples)$/]', message: typed },
  { selector: "CallExpression[callee.object.name='sql'][callee.property.name='raw']", message: typed },
];

const DATABASE = ['database', 'replica', 'shared-transaction', 'sql', 'list-query'].map(
  (name) => `src/database/${name}.ts`,
);

const guarded = 'Addresses that others have given are called through OutgoingRequests, which refuses private ones.';
const client = (modules, names) =>
  `ImportDeclaration[source.value=/^(node:)?(${modules})$/] ImportSpecifier[imported.name=/^(${names})$/]`;

/** Syntax that could connect to an address without the address check. */
const requests = [
  { selector: "CallExpression[callee.name='fetch']", message: guarded },
  { selector: "MemberExpression[object.name='globalThis'][property.name='fetch']", message: guarded },
  { selector: client('https?', 'request|get'), message: guarded },
  { selector: client('net|tls|http2', 'connect|createConnection'), message: guarded },
  { selector: 'ImportDeclaration[source.value=/^(undici|axios|node-fetch|got|ky)$/]', message: guarded },
];

export default tseslint.config(
  {
    ignores: [
      'dist',
      'assets',
      'node_modules',
      'coverage',
      'data',
      'test/clients/generated',
      'web/gql',
      'packages/*/dist',
      'packages/client/src/openapi.ts',
    ],
  },
  {
    files: [
      'src/**/*.ts',
      'packages/**/*.ts',
      'web/**/*.{ts,tsx}',
      'test/**/*.ts',
      'bench/**/*.ts',
      'scripts/**/*.ts',
      '*.ts',
    ],
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-restricted-syntax': ['error', environment],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/common/outgoing-requests.ts'],
    rules: { 'no-restricted-syntax': ['error', environment, ...requests] },
  },
  {
    files: ['src/**/*.ts'],
    // These files compile statements and run them.
    ignores: [...DATABASE, 'src/common/outgoing-requests.ts'],
    rules: { 'no-restricted-syntax': ['error', environment, ...requests, ...statements] },
  },
  ...importRules,
  {
    // main.ts passes the environment on; tests, tools and the command line read their own.
    files: [
      'src/main.ts',
      'packages/cli/**/*.ts',
      'src/database/embedded/**/*.ts',
      'test/**/*.ts',
      'bench/**/*.ts',
      'scripts/**/*.ts',
      '*.config.ts',
    ],
    rules: { 'no-restricted-syntax': 'off' },
  },
);
