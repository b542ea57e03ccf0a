import { useParams } from 'react-router'
import { loadPart } from '../../load-part.ts'
import { later } from '../../parts/later.tsx'

const ClaimList = later(
  loadPart(() => import('./claim-list.tsx')),
  list => list.ClaimList,
)
const ClaimPage = later(
  loadPart(() => import('./claim-page.tsx')),
  page => page.ClaimPage,
)

/** `/app/claims` is the list, `/app/claims/CLM-2` one of them; either is loaded without the other. */
const Claims = () => {
  const { '*': id = '' } = useParams()
  return id === '' ? <ClaimList /> : <ClaimPage key={id} id={id} />
}

export default Claims
