import { useParams } from 'react-router'
import { DecisionLog } from './decision-log.tsx'
import { DecisionPage } from './decision-page.tsx'

/** `/app/decisions` is all of them, `/app/decisions/DEC-1` one. */
const Decisions = () => {
  const { '*': id = '' } = useParams()
  return id === '' ? <DecisionLog /> : <DecisionPage key={id} id={id} />
}

export default Decisions
