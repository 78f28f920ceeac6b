/** Who speaks in a mail that no organization answers for. */
export const PLATFORM_NAME = 'Compliance Gateway';

const MAX_CHARACTERS = 60;

/** What people have written, as a short quotation in a line of ours. */
export function quoted(text: string): string {
  const characters = [...text];
  return `“${characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…` : text}”`;
}
