import type { ComponentChildren } from 'preact';
import { useName } from './about.js';

/** A link to another site. Its address may be any text of people or files: only http addresses become links. */
export function OutsideLink({ href, children }: { href: string; children: ComponentChildren }) {
  const name = useName();
  if (!/^https?:\/\//i.test(href)) return <>{children}</>;
  return (
    <a {...name} href={href} rel="noreferrer noopener" target="_blank">
      {children}
    </a>
  );
}
