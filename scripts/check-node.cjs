// Old syntax on purpose: this file has to be understood by every Node that might meet it.
var parts = process.versions.node.split('.');
var major = Number(parts[0]);
var minor = Number(parts[1]);
if (major < 22 || (major === 22 && minor < 17)) {
  console.error(
    'The gateway needs Node 22.17 or newer, this is Node ' +
      process.versions.node +
      ', and the installation brought none for ' +
      process.platform +
      ' ' +
      process.arch +
      ': install Node 24 from https://nodejs.org/ and start again.',
  );
  process.exit(1);
}
