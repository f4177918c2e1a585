// Filters the timeline and the jobs of the page. The page is whole without it: everything is there, and stays when this fails.
(() => {
  const timeline = document.querySelector('#timeline');
  if (!timeline) return;
  const rows = [...timeline.querySelectorAll('tbody tr:not(.gap)')].map((row) => ({
    row,
    time: row.cells[0].textContent.replace(/^about /, ''),
    job: row.cells[2].textContent.trim(),
    worker: row.cells[3].textContent.trim(),
    text: row.textContent.toLowerCase(),
  }));
  const stories = [...document.querySelectorAll('article.story')].map((story) => ({
    story,
    job: story.querySelector('h3 code').textContent.trim(),
    text: story.textContent.toLowerCase(),
  }));
  const gaps = timeline.querySelectorAll('tr.gap');

  const make = (name, values, text) => {
    const element = Object.assign(document.createElement(name), values);
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const form = make('form', { className: 'filter' });
  form.setAttribute('role', 'search');
  form.setAttribute('aria-label', 'Filter the timeline and the jobs');
  const field = (label, control) => {
    const around = make('label', {}, label);
    around.append(control);
    form.append(around);
    return control;
  };
  const choice = (label, values) => {
    const select = make('select', {});
    select.append(make('option', { value: '' }, 'all'));
    for (const value of [...new Set(values)].filter((one) => one !== '').sort()) select.append(make('option', { value }, value));
    return field(label, select);
  };
  const job = choice('Job', rows.map((one) => one.job));
  const worker = choice('Worker', rows.map((one) => one.worker));
  const first = rows.length > 0 ? rows[0].time : '';
  const from = field('From', make('input', { type: 'text', size: 12, placeholder: first }));
  const to = field('To', make('input', { type: 'text', size: 12, placeholder: rows.length > 0 ? rows[rows.length - 1].time : '' }));
  const text = field('Text', make('input', { type: 'search', size: 18 }));
  const clear = make('button', { type: 'reset' }, 'Show all');
  const count = make('output', {});
  form.append(clear, count);

  // Times are compared as they are shown, as far as they were typed.
  const isWithin = (time) =>
    (from.value.trim() === '' || time >= from.value.trim()) &&
    (to.value.trim() === '' || time.slice(0, to.value.trim().length) <= to.value.trim());

  const apply = () => {
    const words = text.value.toLowerCase().split(/\s+/).filter((word) => word !== '');
    const hasWords = (told) => words.every((word) => told.includes(word));
    let shownRows = 0;
    for (const one of rows) {
      const shown =
        (job.value === '' || one.job === job.value) &&
        (worker.value === '' || one.worker === worker.value) &&
        isWithin(one.time) &&
        hasWords(one.text);
      one.row.hidden = !shown;
      if (shown) shownRows += 1;
    }
    let shownStories = 0;
    for (const one of stories) {
      const shown =
        (job.value === '' || one.job === job.value) &&
        (worker.value === '' || one.text.includes(worker.value.toLowerCase())) &&
        hasWords(one.text);
      one.story.hidden = !shown;
      if (shown) shownStories += 1;
    }
    // Where records are left out, what lies between two of them is no silence.
    for (const gap of gaps) gap.hidden = shownRows < rows.length;
    count.textContent = `${shownRows} of ${rows.length} records, ${shownStories} of ${stories.length} jobs`;
  };
  form.addEventListener('input', apply);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(apply));
  timeline.querySelector('h2').after(form);
  apply();
})();
