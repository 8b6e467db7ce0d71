import '../styles/base.css';
import '../styles/explore.css';
import { mount } from 'svelte';
import Explorer from './Explorer.svelte';

mount(Explorer, { target: document.getElementById('app')! });
