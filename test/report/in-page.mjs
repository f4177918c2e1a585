/** What is asked inside of a page of the browser. Sent there as text, so each stands by itself. */

/** What reaches beyond the page, and is in nothing that scrolls. */
export function tooWide() {
  const { scrollWidth } = document.documentElement;
  const wide = scrollWidth > window.innerWidth ? [`page ${scrollWidth}`] : [];
  const scrolls = (element) => {
    for (let at = element; at !== null; at = at.parentElement)
      if (['auto', 'scroll', 'hidden'].includes(getComputedStyle(at).overflowX)) return true;
    return false;
  };
  for (const element of document.querySelectorAll('main *, header *, footer *')) {
    const box = element.getBoundingClientRect();
    if (box.width > 0 && box.right > window.innerWidth + 1 && !scrolls(element) && !element.closest('.skip'))
      wide.push(`${element.tagName} ${Math.round(box.right)}: ${element.textContent.slice(0, 60)}`);
  }
  return wide.slice(0, 10);
}

/** Words of a chart that lie on each other, and sections that do. */
export function overlapping() {
  const found = [];
  const meet = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const compare = (elements) => {
    const boxes = elements
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0);
    boxes.forEach((one, n) => {
      for (const other of boxes.slice(n + 1))
        if (meet(one.box, other.box))
          found.push(`${one.element.textContent.slice(0, 40)} on ${other.element.textContent.slice(0, 40)}`);
    });
  };
  for (const chart of document.querySelectorAll('svg')) compare([...chart.querySelectorAll('text')]);
  compare([...document.querySelectorAll('main > section, body > header, body > footer')]);
  return found.slice(0, 10);
}

/** Once axe-core is there. */
export async function seriousFaults() {
  const { violations } = await globalThis.axe.run();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => {
      const places = nodes.slice(0, 3).map(({ html }) => html.slice(0, 120));
      return `${id}: ${places.join(' | ')}`;
    });
}

/** Where each link leads, and whether there is such a place. */
export function linksOfPage() {
  return [...document.querySelectorAll('a')].map((link) => {
    const href = link.getAttribute('href') ?? '';
    return { href, isThere: document.getElementById(href.slice(1)) !== null };
  });
}

/** Cells of the timeline's rows that can be seen. */
export function shownRows() {
  return [...document.querySelectorAll('#timeline tbody tr:not(.gap)')]
    .filter((row) => row.getBoundingClientRect().height > 0)
    .map((row) => [...row.cells].map((one) => one.textContent));
}

/** From the start of the navigation until the document is parsed and its script has run, ms. */
export function loadMs() {
  return performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd;
}

export const fragment = () => globalThis.location.hash;
