import { expect, test } from '@jest/globals';
import { ESLint } from 'eslint';
import { readFileSync } from 'node:fs';
import { getFileInfo } from 'prettier';

/** Generated folders at the root, whose names could also be those of domains. */
const MADE = ['assets', 'data', 'dist', 'coverage'];

const lines = (file: string) => readFileSync(file, 'utf8').split('\n');

test.each(MADE)('a folder of the sources may be called %s: no tool passes over it', async (name) => {
  const file = `src/services/${name}/${name}.service.ts`;
  expect(lines('.gitignore')).toContain(`/${name}/`);
  expect(lines('.gitignore').filter((line) => line === name || line === `${name}/`)).toEqual([]);
  expect(await getFileInfo(file, { ignorePath: '.prettierignore' })).toMatchObject({ ignored: false });
  expect(await new ESLint().isPathIgnored(file)).toBe(false);
  // At the root it is made by a program.
  expect(await getFileInfo(`${name}/file.ts`, { ignorePath: '.prettierignore' })).toMatchObject({ ignored: true });
  expect(await new ESLint().isPathIgnored(`${name}/file.ts`)).toBe(true);
});
