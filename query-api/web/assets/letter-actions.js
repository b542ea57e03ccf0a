import { call, element, onSubmit, showError } from './api.js'
import { counted, quiet } from './show.js'

const PER_SECOND = 50

const button = (label, attributes, click) =>
  element('button', { type: 'button', ...attributes, ...(click && { click }) }, label)

const fromStep = steps =>
  element(
    'label',
    {},
    'From step',
    element(
      'select',
      { name: 'from_step' },
      element('option', { value: '' }, 'where each stands'),
      ...steps.map(step => element('option', {}, step)),
    ),
  )

const rate = () =>
  element(
    'label',
    {},
    'At most a second',
    element('input', {
      name: 'per_second',
      type: 'number',
      min: '1',
      max: '1000',
      value: String(PER_SECOND),
      required: '',
    }),
  )

const ask = (place, label, content, send, cancel, run) => {
  const form = element(
    'form',
    { class: 'ask', 'aria-label': label },
    ...content,
    element('div', { class: 'actions' }, ...send, button('Cancel', {}, cancel)),
  )
  onSubmit(form, run)
  place.replaceChildren(form)
  form.querySelector('input, select, button').focus()
}

/**
 * What can be done about waiting letters: a replay, which counts them first, or giving them up for a reason. `selection` is in the fields
 * of both operations; `done(says)` runs when one of them was carried out.
 */
export const letterActions = (selection, done) => {
  const place = element('div', { 'aria-live': 'polite' })
  const cancel = () => place.replaceChildren()

  const replay = async () => {
    showError(null)
    const { letters, groups } = await call('replay_dead_letters', { ...selection, dry_run: true })
    const steps = [...new Set(groups.flatMap(group => group.from_steps))]
    const says = `${counted(letters, 'dead letter')} would go through the pipeline again. Nothing is counted twice; what dies again comes back here.`
    const send = element('button', { type: 'submit', class: 'primary' }, `Replay ${counted(letters, 'dead letter')}`)
    const fields = element('div', { class: 'fields' }, fromStep(steps), rate())
    ask(place, 'Replay', [quiet(says), fields], [send], cancel, async ({ from_step, per_second }) => {
      const input = { ...selection, ...(from_step && { from_step }), per_second: Number(per_second) }
      const { letters: sent } = await call('replay_dead_letters', input)
      await done(`A job replays ${counted(sent, 'dead letter')}.`)
    })
  }

  const discard = () => {
    const send = element('button', { type: 'submit', class: 'danger' }, 'Discard')
    const reason = element(
      'label',
      {},
      'Why they are given up',
      element('input', { name: 'reason', required: '', maxlength: '3500', pattern: '.*\\S.*' }),
    )
    const says = quiet('They stay listed as discarded, and are never replayed. The reason is kept as a Decision.')
    ask(place, 'Discard', [says, reason], [send], cancel, async fields => {
      const { letters, decision } = await call('discard_dead_letters', { ...selection, ...fields })
      await done(`${counted(letters, 'dead letter')} discarded (${decision.reference}).`)
    })
  }

  return element(
    'div',
    {},
    element(
      'div',
      { class: 'actions' },
      button('Replay…', {}, () => replay().catch(showError)),
      button('Discard…', { class: 'danger' }, discard),
    ),
    place,
  )
}
