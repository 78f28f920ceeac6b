import 'reflect-metadata';
import module from 'node:module';
import { StartupError } from './errors.js';
import { exitWithError } from './exit-with-error.js';

// Acts when it is imported. What follows the check is imported after it: an older Node fails at the syntax.
try {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 17))
    throw new StartupError(
      `The gateway needs Node 22.17 or newer, this is Node ${node}: npm start finds the one that is installed with it.`,
    );
  // The cache shortens the next start, most of which is loading modules.
  module.enableCompileCache();
  const { serve } = await import('./server.js');
  await serve(process.env);
} catch (error) {
  exitWithError(error);
  process.exit();
}
