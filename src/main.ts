import 'reflect-metadata';
import { serve } from './serve.js';

// The only file that acts when it is imported.
serve(process.env).catch((error: unknown) => {
  // Sentences for an operator; a stack only where the fault is ours.
  const told = error instanceof Error && ['ConfigError', 'StartupFault'].includes(error.name);
  process.stderr.write(`${told ? (error as Error).message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
