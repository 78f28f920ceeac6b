import 'reflect-metadata';
import { enableCompileCache } from 'node:module';
import { exitWithError } from './exit-with-error.js';

// Acts when it is imported. The compile cache shortens the next start, most of which is loading modules.
enableCompileCache();
const { serve } = await import('./server.js');

serve(process.env).catch((error: unknown) => {
  exitWithError(error);
  process.exit();
});
