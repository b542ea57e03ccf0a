/** Posts JSON and answers the parsed body; rejects with an Error whose message a person can read. */
export const post = async (path, body) => {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json().catch(() => ({}))
  if (response.ok) return answer
  if (response.status === 401 && path.startsWith('/api/app/')) location.assign('/sign-in')
  throw new Error(answer.detail ?? answer.message ?? `The server answered ${response.status}.`)
}

const answerOf = (operation, input) => post(`/api/app/${operation}`, input)

/** Calls an operation through the app's door and answers its `data`. */
export const call = async (operation, input = {}) => (await answerOf(operation, input)).data

/** One page of a list: its `data`, and the `cursor` of the next page, null at the end. */
export const callPage = async (operation, input) => {
  const { data, meta } = await answerOf(operation, input)
  return { ...data, cursor: meta.next_cursor }
}

/** Every item of a list, page by page. */
export const every = async operation => {
  const items = []
  let cursor
  do {
    const page = await callPage(operation, { limit: 100, ...(cursor && { cursor }) })
    items.push(...page.items)
    cursor = page.cursor
  } while (cursor)
  return items
}

export const showError = error => {
  document.querySelector('.error').textContent = error?.message ?? ''
}

/** An element with its children. Text is only ever set as text, so what a sender wrote cannot become markup. */
export const element = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name, value)
    else made.setAttribute(name, value)
  }
  made.append(...children)
  return made
}

/** A block of text with a button that copies it. */
export const copyable = (label, text) => {
  const button = element('button', { type: 'button', 'aria-label': `Copy: ${label}` }, 'Copy')
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text)
    button.textContent = 'Copied'
  })
  return element(
    'div',
    {},
    element('p', { class: 'quiet' }, label),
    element('div', { class: 'copy' }, element('pre', { 'data-label': label }, text), button),
  )
}

/** Runs something for a form's fields when it is sent, with its button disabled meanwhile and an error shown under it. */
export const onSubmit = (form, run) => {
  form.addEventListener('submit', async event => {
    event.preventDefault()
    const button = form.querySelector('button[type=submit]')
    button.disabled = true
    showError(null)
    try {
      await run(Object.fromEntries(new FormData(form)))
    } catch (error) {
      showError(error)
    } finally {
      button.disabled = false
    }
  })
}
