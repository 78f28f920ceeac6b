// Old syntax on purpose: this file has to be understood by every Node that might meet it.
var parts = process.versions.node.split('.');
var major = Number(parts[0]);
var minor = Number(parts[1]);
if (major < 22 || (major === 22 && minor < 17)) {
  console.error(
    'The gateway needs Node 22.17 or newer, but this is Node ' +
      process.versions.node +
      ' and npm could not install a newer one for ' +
      process.platform +
      ' ' +
      process.arch +
      '.',
  );
  process.exit(1);
}
