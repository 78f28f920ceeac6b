import type { CodegenConfig } from '@graphql-codegen/cli';

const scalars = {
  ID: { input: 'string | number', output: 'string' },
  DateTime: 'string',
  Date: 'string',
  JSONObject: 'Record<string, unknown>',
  JSON: 'unknown',
  SafeInt: 'number',
  Upload: 'File',
};

/** Generates the types of the documents in web/, for `npm run print:contracts`. */
export default {
  schema: 'schema.graphql',
  documents: ['web/**/*.{ts,tsx}', '!web/gql/**'],
  generates: {
    'web/gql/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        ...{ scalars, strictScalars: true },
        ...{ documentMode: 'string', enumsAsTypes: true, useTypeImports: true, skipTypename: true },
      },
    },
  },
} satisfies CodegenConfig;
