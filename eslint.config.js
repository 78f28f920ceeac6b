import tseslint from 'typescript-eslint';
import { importLaw } from './eslint.import-law.js';

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'coverage', 'data', 'src/database/migrations/*.ts'] },
  {
    files: ['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts', '*.ts'],
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
      'no-restricted-syntax': [
        'error',
        {
          selector: "MemberExpression[object.name='process'][property.name='env']",
          message: 'The environment has one reader: config.ts. Take what you need as an argument.',
        },
      ],
    },
  },
  ...importLaw,
  {
    // main.ts and bootstrap.ts hand the environment to config.ts; tests and tools have their own.
    files: [
      'src/main.ts',
      'src/bootstrap.ts',
      'src/migrate-only.ts',
      'src/database/embedded/**/*.ts',
      'test/**/*.ts',
      'bench/**/*.ts',
      'scripts/**/*.ts',
      '*.config.ts',
    ],
    rules: { 'no-restricted-syntax': 'off' },
  },
);
