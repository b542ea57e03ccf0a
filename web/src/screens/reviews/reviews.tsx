import { useParams } from 'react-router'
import { ReviewList } from './review-list.tsx'
import { ReviewPage } from './review-page.tsx'

/** `/app/reviews` is all of them, `/app/reviews/<id>` one, or how far it is. */
const Reviews = () => {
  const { '*': id = '' } = useParams()
  return id === '' ? <ReviewList /> : <ReviewPage key={id} id={id} />
}

export default Reviews
