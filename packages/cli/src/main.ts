#!/usr/bin/env node
import { run } from './cli.js';

// A reader that has seen enough, such as head, is no failure. A full disk is: what follows would be missing.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`The output cannot be written: ${error.message}\n`);
  process.exit(1);
});
process.exitCode = await run(process.argv.slice(2));
