import { post, showError } from './api.js'

/** Sign-up and sign-in are one form with other fields: `data-account` names the endpoint. */
const form = document.querySelector('form[data-account]')

form.addEventListener('submit', async event => {
  event.preventDefault()
  const fields = Object.fromEntries(new FormData(form))
  try {
    await post(`/api/auth/${form.dataset.account}/email`, fields)
    location.assign('/app')
  } catch (error) {
    showError(error)
  }
})
