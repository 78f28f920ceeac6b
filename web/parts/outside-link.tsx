import type { ComponentChildren } from 'preact';
import { useName } from './about.js';

/** A link to another site, of whose address people or files may have written any text: it leads by http or not at all. */
export function OutsideLink({ href, children }: { href: string; children: ComponentChildren }) {
  const name = useName();
  if (!/^https?:\/\//i.test(href)) return <>{children}</>;
  return (
    <a {...name} href={href} rel="noreferrer noopener" target="_blank">
      {children}
    </a>
  );
}
