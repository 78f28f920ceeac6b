import axe, { type AxeResults } from 'axe-core';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { extract } from 'tar-stream';

/** The only platform for which the package has the browser. */
export const HAS_CHROMIUM = process.platform === 'linux' && process.arch === 'x64';

/** A wide window in the light scheme, and a telephone in the dark one. */
export const WINDOWS = {
  wide: { viewport: { width: 1440, height: 900 } },
  telephone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: 'dark' },
} as const satisfies Record<string, BrowserContextOptions>;

/** Errors and requests of a page while it was open. */
export interface Opened {
  page: Page;
  /** Errors of scripts, violations of the content security policy and requests to other hosts. */
  errors: string[];
}

export interface Chromium {
  /** A new window without cookies, whose page shows this address. */
  open(address: string, options?: BrowserContextOptions): Promise<Opened>;
  close(): Promise<void>;
}

/**
 * Unpacks the browser with its fonts and libraries from the package, so that none need to be installed, and starts it.
 */
export async function startChromium(): Promise<Chromium> {
  const folder = await mkdtemp(join(tmpdir(), 'chromium-'));
  const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'));
  const packed = (name: string) => createReadStream(join(dirname(entry), '../../bin', `${name}.br`));
  const executablePath = join(folder, 'chromium');
  await Promise.all([
    pipeline(packed('chromium'), createBrotliDecompress(), createWriteStream(executablePath)),
    ...['fonts.tar', 'al2023.tar'].map((name) => unpack(packed(name), folder)),
  ]);
  await chmod(executablePath, 0o755);
  await writeFile(join(folder, 'fonts.conf'), fontsOf(folder));
  const browser = await chromium.launch({
    executablePath,
    chromiumSandbox: false,
    env: { HOME: folder, LD_LIBRARY_PATH: join(folder, 'lib'), FONTCONFIG_PATH: folder },
  });
  return {
    open: (address, options = WINDOWS.wide) => open(browser, address, options),
    close: async () => {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The configuration in the package has folders of its build machine: a page would have no fonts. */
function fontsOf(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>
`;
}

async function open(browser: Browser, address: string, options: BrowserContextOptions): Promise<Opened> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const errors: string[] = [];
  const { hostname } = new URL(address);
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    // The error of the requested page itself is expected.
    if (message.type() === 'error' && message.location().url !== address) errors.push(message.text());
  });
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.hostname !== hostname) errors.push(`request to ${url.origin}`);
  });
  await page.goto(address);
  return { page, errors };
}

/** Serious accessibility violations of the page, with their elements. The editor of GraphiQL belongs to a package. */
export async function brokenRules(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>(`axe.run({ exclude: ['.graphiql-container'] })`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

const CONTROLS = new Set(['button', 'checkbox', 'combobox', 'DisclosureTriangle', 'link', 'slider', 'textbox']);

/**
 * Controls that a screen reader cannot distinguish: with the same role, name and description. Links to one address are
 * one.
 */
export async function repeatedNames(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const controls = nodes
    .filter(({ ignored, role }) => !ignored && CONTROLS.has(role?.value))
    .map(({ role, name, description, properties }) => ({
      said: [role, name, description].map((each) => each?.value ?? '').join(' | '),
      url: properties?.find((each) => each.name === 'url')?.value.value as string | undefined,
    }))
    // The browser's own controls, in each date field.
    .filter(({ said }) => !said.startsWith('button | Show date picker'));
  return controls
    .filter(({ said, url }, index) =>
      controls.some((each, other) => other < index && each.said === said && (url === undefined || each.url !== url)),
    )
    .map(({ said }) => said);
}

/** Number of pixels by which the page is wider than its window. On a telephone `innerWidth` grows with the page. */
export async function overflowOf(page: Page): Promise<number> {
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  return Math.max(0, width - page.viewportSize()!.width);
}

async function unpack(packed: Readable, folder: string): Promise<void> {
  const entries = extract();
  const unpacked = pipeline(packed, createBrotliDecompress(), entries);
  for await (const entry of entries) {
    const path = join(folder, entry.header.name);
    await mkdir(dirname(path), { recursive: true });
    if (entry.header.type === 'file') await pipeline(entry, createWriteStream(path));
    else entry.resume();
  }
  await unpacked;
}
