// The four arms in Fig. 5 of the GEGE paper, with the means in pkg/study/gege.
{
  const setting = {
   "of": "means",
   "label": "Four arms in the plane of two objectives; you can move the arms.",
   "prompt": "drag arm k to the left until arm j is better in both objectives: arm k leaves the front.",
   "instance": {
    "arms": [
     "i",
     "j",
     "k",
     "l"
    ],
    "objectives": [
     "objective 1",
     "objective 2"
    ],
    "means": [
     [0.1, 0.3],
     [0.45, 0.8],
     [0.85, 0.62],
     [0.6, 0.15]
    ],
    "features": [
     [1, 0, 0, 0],
     [0, 1, 0, 0],
     [0, 0, 1, 0],
     [0, 0, 0, 1]
    ],
    "noise": {
     "kind": "gaussian",
     "sd": 0.5
    },
    "question": {
     "kind": "pareto"
    }
   },
   "delta": 0.1,
   "methods": [
    {
     "name": "gege",
     "label": "GEGE",
     "constants": [
      "theory",
      "paper",
      "code"
     ]
    },
    {
     "name": "pfiwr",
     "label": "PFIwR",
     "constants": [
      "self-normalised",
      "paper"
     ]
    }
   ],
   "window": [
    [-0.2, 1.2],
    [-0.2, 1.2]
   ]
  };
  purexp.load("live/live.js").then(() => purexp.load("live/plane.js")).then(
    () => purexp.panel("gege", element => purexp.plane(element, setting)),
    err => purexp.panel("gege", element => { element.textContent = err.message; }),
  );
}
