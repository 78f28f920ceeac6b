/**
 * Bundles web/ into assets/web.js and assets/web.css with the licences of its packages, the shared style into
 * assets/look.css, and the page of archives into assets/archive.html. Does nothing without changes. A production
 * installation has only the bundle.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeWhole } from './write-whole.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'assets');
const source = join(root, 'web');
const [SCRIPT, ARCHIVE] = ['web.js', 'archive.html'];

await bundle();

async function bundle() {
  const made = join(folder, SCRIPT);
  // The image has the bundle without its sources.
  if (!existsSync(source) && existsSync(made)) return;
  const mark = `/* ${sourcesHash()} */\n`;
  if (existsSync(made) && readFileSync(made, 'utf8').startsWith(mark)) return;
  const esbuild = await import('esbuild').catch(() => undefined);
  if (esbuild === undefined) {
    console.error(
      'The pages of web/ are not bundled or out of date, and the bundler is not installed: run npm ci && npm run build first.',
    );
    process.exit(1);
  }
  const { outputFiles, metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: { web: 'web/main.tsx', look: 'web/look.css', archive: 'web/archive/main.tsx' },
    tsconfig: 'web/tsconfig.json',
    outdir: 'assets',
    ...{ bundle: true, minify: true, format: 'esm', target: 'es2022', charset: 'utf8' },
    ...{ legalComments: 'none', metafile: true, write: false, logLevel: 'error' },
  });
  const write = (name, text) => writeWhole(join(folder, name), text);
  write('web-NOTICE.txt', licencesOf(metafile));
  const textOf = (name) => outputFiles.find(({ path }) => basename(path) === name).text;
  write(ARCHIVE, archivePage(textOf('archive.js'), textOf('archive.css')));
  for (const name of ['web.css', 'look.css', SCRIPT]) write(name, mark + textOf(name));
}

/**
 * A page that is opened from a disk: a single file, which can reach no other host. The gateway inserts its texts
 * (archive-page.ts).
 */
function archivePage(script, style) {
  const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const code = script.replaceAll('</script', '<\\/script').trimEnd();
  const policy = `default-src 'none'; base-uri 'none'; form-action 'none'; script-src ${hashOf(code)}; style-src ${hashOf(style)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Evidence pack</title>
<style>${style}</style>
</head>
<body>
<div id="application"></div>
<noscript>This page verifies the archive with JavaScript. README.txt says how it is done without.</noscript>
<script type="application/json" id="settings">__SETTINGS__</script>
<script type="module">${code}</script>
</body>
</html>
`;
}

/** Hash of all inputs of the bundle. */
function sourcesHash() {
  const names = readdirSync(source, { recursive: true }).filter((name) => /\.(tsx?|css|json)$/.test(name));
  const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)));
  for (const name of names.sort()) hash.update(`\0${name}\0`).update(readFileSync(join(source, name)));
  return hash.update(readFileSync(join(root, 'package-lock.json'))).digest('hex');
}

/** The licence texts of all packages in the bundle. */
function licencesOf({ inputs }) {
  const packages = new Set(
    Object.keys(inputs).flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.slice(0, 1) ?? []),
  );
  return [...packages].sort().map(licenceOf).join('\n\n');
}

function licenceOf(path) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
  const file = readdirSync(join(root, path)).find((each) => /^licen[cs]e/i.test(each));
  return `${name} ${version} (${license})\n\n${file === undefined ? '' : readFileSync(join(root, path, file), 'utf8')}`;
}
