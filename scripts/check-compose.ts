import { readFileSync } from 'node:fs';
import { readComposeFile } from './compose-file.js';

/** Fails when docker-compose.yml is invalid for a container engine; needs no engine. */
const path = new URL('../docker-compose.yml', import.meta.url);
const { errors } = readComposeFile(readFileSync(path, 'utf8'));
if (errors.length > 0) {
  process.stderr.write(`docker-compose.yml has errors:\n${errors.map((error) => `- ${error}\n`).join('')}`);
  process.exitCode = 1;
}
