import { useParams } from 'react-router'
import { ClaimList } from './claim-list.tsx'
import { ClaimPage } from './claim-page.tsx'

/** `/app/claims` is the list, `/app/claims/CLM-2` one of them. */
const Claims = () => {
  const { '*': id = '' } = useParams()
  return id === '' ? <ClaimList /> : <ClaimPage key={id} id={id} />
}

export default Claims
