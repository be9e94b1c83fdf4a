// Two windows on one machine share a clock, so the time from one to the other can be shown.
const channel = new URL(document.baseURI).searchParams.get('channel') || 'demo';
const url = new URL('../' + encodeURIComponent(channel), document.baseURI);
const byId = id => document.getElementById(id);
const clock = () => performance.timeOrigin + performance.now();

byId('name').value = 'window ' + (1 + Math.floor(Math.random() * 900));

function show(cells) {
  const row = document.createElement('li');
  for (const [name, text] of cells) {
    const cell = document.createElement('span');
    cell.className = name;
    cell.textContent = text;
    row.append(cell);
  }
  byId('messages').prepend(row);
  while (byId('messages').children.length > 100) {
    byId('messages').lastChild.remove();
  }
}

const events = new EventSource(url);
events.onopen = () => { byId('state').textContent = 'connected to channel ' + channel; };
events.onerror = () => { byId('state').textContent = 'not connected, trying again'; };
events.onmessage = event => {
  let message;
  try {
    message = JSON.parse(event.data);
  } catch {
    message = null;
  }
  if (message !== null && typeof message === 'object' && typeof message.sent === 'number') {
    const took = Math.max(0, clock() - message.sent);
    show([['who', String(message.from)], ['what', String(message.text)], ['time', took.toFixed(1) + ' ms']]);
  } else {
    show([['who', 'somebody'], ['what', event.data], ['time', '']]);
  }
};
events.addEventListener('gap', () => show([['gap', 'Some messages are gone: they came while this window was away too long.']]));

byId('form').addEventListener('submit', async submitted => {
  submitted.preventDefault();
  const text = byId('text').value;
  if (text === '') {
    return;
  }
  byId('text').value = '';
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': crypto.getRandomValues(new Uint32Array(4)).join('-') },
      body: JSON.stringify({ from: byId('name').value, text, sent: clock() }),
    });
    if (answer.status !== 201) {
      byId('state').textContent = 'not sent: ' + answer.status + ' ' + await answer.text();
    }
  } catch (failure) {
    byId('state').textContent = 'not sent: ' + failure.message;
  }
});
