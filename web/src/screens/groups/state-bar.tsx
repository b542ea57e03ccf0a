import { SOLUTION_STATES } from '../../../../schemas/domain/vocabulary.ts'
import { word } from '../../language/messages.ts'
import type { Group } from './group.ts'
import classes from './groups.module.css'

interface Props {
  readonly of: Group['by_state']
}

/** How far the Solutions of a group are, as one bar; the words say the same. */
export const StateBar = ({ of }: Props) => {
  const counts = new Map(of.map(({ state, solutions }) => [state, solutions]))
  const states = SOLUTION_STATES.filter(state => counts.has(state))
  return (
    <div className={classes.states}>
      <div className={classes.bar} aria-hidden>
        {states.map(state => (
          <span key={state} data-state={state} style={{ flexGrow: counts.get(state) ?? 0 }} />
        ))}
      </div>
      <span className={classes.counts}>{states.map(state => `${counts.get(state)} ${word(state)}`).join(' · ')}</span>
    </div>
  )
}
