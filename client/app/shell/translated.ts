/**
 * Keeps the application usable while the browser translates it. A translator puts `<font>` elements in the place of React's
 * texts, and React knows nothing of it: it would go on writing into the texts that were taken away, so that a total stayed
 * what it was, and fail on one that it removes or inserts something before, so that the page was lost.
 *
 * A text that React touches is therefore put back first; the translator then translates it anew.
 */

/** The texts in whose place an element stands. */
const textsOf = new WeakMap<Element, Text[]>();
/** What stands in the place of a text. */
const standIns = new WeakMap<Node, Element>();

function isStandIn(node: Node | null | undefined): node is Element {
  return node?.nodeName === 'FONT';
}

/** Puts a text back where a translation stands, and the others that became part of the same translation. */
function putBack(node: Node | null): void {
  const standIn = node && !node.parentNode ? standIns.get(node) : undefined;
  if (!standIn?.parentNode) return;
  standIn.replaceWith(...(textsOf.get(standIn) ?? []));
  textsOf.delete(standIn);
}

/** Only once something is translated, so that nobody else pays for it. */
function followReact(): void {
  const { insertBefore, removeChild } = Node.prototype;
  const value = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue');
  Node.prototype.insertBefore = function <Inserted extends Node>(
    this: Node,
    node: Inserted,
    next: Node | null,
  ) {
    putBack(next);
    // At the end, if a translator has moved away what it should come before.
    return insertBefore.call(this, node, next?.parentNode === this ? next : null) as Inserted;
  };
  Node.prototype.removeChild = function <Removed extends Node>(this: Node, node: Removed) {
    putBack(node);
    return removeChild.call(node.parentNode ?? this, node) as Removed;
  };
  Object.defineProperty(Node.prototype, 'nodeValue', {
    ...value,
    set(this: Node, text: string | null) {
      putBack(this);
      value?.set?.call(this, text);
    },
  });
}

let following = false;

function remember({ removedNodes, addedNodes, previousSibling, nextSibling }: MutationRecord): void {
  for (const text of removedNodes) {
    if (!(text instanceof Text) || text.parentNode) continue;
    const standIn = [...addedNodes, previousSibling, nextSibling].find(isStandIn);
    if (!standIn) continue;
    standIns.set(text, standIn);
    textsOf.set(standIn, [...(textsOf.get(standIn) ?? []), text]);
    if (!following) followReact();
    following = true;
  }
}

if (typeof document !== 'undefined') {
  new MutationObserver((records) => records.forEach(remember)).observe(document, {
    childList: true,
    subtree: true,
  });
}
