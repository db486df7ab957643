/** The answers of the three tools as the seed prints them, for every surface. */
export { renderLearnings, renderOverviews, renderPlans } from './decide/render-answers.ts'
