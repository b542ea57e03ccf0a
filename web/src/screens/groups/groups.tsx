import { useParams } from 'react-router'
import { GroupList } from './group-list.tsx'
import { GroupPage } from './group-page.tsx'

/** `/app/groups` is all of them, `/app/groups/<id>` one. */
const Groups = () => {
  const { '*': id = '' } = useParams()
  return id === '' ? <GroupList /> : <GroupPage key={id} id={id} />
}

export default Groups
