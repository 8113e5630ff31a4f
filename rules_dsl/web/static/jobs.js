// Long work on the server: follow it as it goes, and stop it.

import { get, post } from "./dom.js";

// Calls `show` with everything that is told; gives the last thing that was.
export function follow(job, show) {
  return new Promise((resolve) => {
    const events = new EventSource(`/api/jobs/${job}/events`);
    events.onmessage = (event) => {
      const told = JSON.parse(event.data);
      show(told);
      if (["done", "failed", "stopped"].includes(told.state)) {
        events.close();
        resolve(told);
      }
    };
    events.onerror = async () => {
      // The stream ends with the job; otherwise the browser connects again by itself.
      try {
        const told = await get(`/api/jobs/${job}`);
        if (["done", "failed", "stopped"].includes(told.state)) {
          events.close();
          resolve(told);
        }
      } catch (error) {
        events.close();
        resolve({ state: "failed", message: error.message });
      }
    };
  });
}

export const stop = (job) => post(`/api/jobs/${job}/stop`);
