// Old syntax on purpose: every version of Node has to parse this file.
var fs = require('fs');
var path = require('path');

var parts = process.versions.node.split('.');
var major = Number(parts[0]);
var minor = Number(parts[1]);
if ((major < 22 || (major === 22 && minor < 17)) && !linkInstalledNode()) {
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

/**
 * npm 10 installs the Node of this platform but removes its link in .bin along with those of other platforms. Creates
 * the link, which the next command of an npm script uses; false if there is nothing to link or the folder is read-only.
 */
function linkInstalledNode() {
  var windows = process.platform === 'win32';
  var name = ['node', windows ? 'win' : process.platform, process.arch].join('-');
  var program = windows ? 'node.exe' : 'node';
  var modules = path.join(__dirname, '..', 'node_modules');
  try {
    fs.linkSync(path.join(modules, name, 'bin', program), path.join(modules, '.bin', program));
    return true;
  } catch (error) {
    return error.code === 'EEXIST';
  }
}
