import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { text } from '../texts.js';
import { stayOpen } from '../update.js';
import { Button } from './button.js';

/** A secret that is shown only once, with a button that copies it. */
export function Secret({ value, children }: { value: string; children: ComponentChildren }) {
  const code = useRef<HTMLElement>(null);
  const [copied, setCopied] = useState(false);
  useLayoutEffect(stayOpen, []);
  const copy = async () => {
    getSelection()?.selectAllChildren(code.current!);
    // Browsers provide the clipboard only over HTTPS and on localhost; a selection can be copied anywhere.
    await navigator.clipboard?.writeText(value).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <div class="secret" role="status">
      <p>{children}</p>
      <code ref={code}>{value}</code>{' '}
      <Button disabled={false} onClick={() => void copy()}>
        {text(copied ? 'pages.action.copied' : 'pages.action.copy')}
      </Button>
    </div>
  );
}
