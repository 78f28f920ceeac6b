import 'reflect-metadata';
import { enableCompileCache } from 'node:module';

// The only file that acts when it is imported. Compiled code of the last start is taken up again, where the machine
// lets us keep it: most of a start is loading modules.
enableCompileCache();
const { serve } = await import('./serve.js');

serve(process.env).catch((error: unknown) => {
  // Sentences for an operator; a stack only where the fault is ours.
  const told = error instanceof Error && ['ConfigError', 'StartupFault'].includes(error.name);
  process.stderr.write(`${told ? (error as Error).message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
