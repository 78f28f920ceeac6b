import 'reflect-metadata';
import { enableCompileCache } from 'node:module';
import { exitWithError } from './exit-with-error.js';

// The only file that acts when it is imported. Compiled code of the last start is taken up again, where the machine
// lets us keep it: most of a start is loading modules.
enableCompileCache();
const { serve } = await import('./server.js');

serve(process.env).catch((error: unknown) => {
  exitWithError(error);
  process.exit();
});
