import type { GuideText } from '../portal/guides.js';

/** A text that clients may read. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  readonly read: () => string;
}

/** The guides, and `llms.txt`, which lists their subjects. */
export function resourcesOf(guides: readonly GuideText[], llms: string): Resource[] {
  const index = {
    ...{ uri: 'guide://llms.txt', name: 'llms.txt', title: 'What is here', mimeType: 'text/markdown' },
    description: 'What the gateway is, where its interfaces are, and what each guide is about.',
    read: () => llms,
  };
  return [
    index,
    ...guides.map(({ name, title, intro, read }) => ({
      ...{ uri: `guide://${name}`, name, title, description: intro, mimeType: 'text/markdown', read },
    })),
  ];
}
